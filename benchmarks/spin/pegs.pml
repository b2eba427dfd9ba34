/* The game of pegs for SPIN: one state of the model for each state of the game.
 *
 *   spin -a pegs.pml && gcc -O2 -DSAFETY -DNOREDUCE -o pan pan.c && ./pan -w24
 *
 * Every move is one step: the cell and then the peg are chosen inside an atomic sequence, which is
 * faster than 81 alternatives side by side, and nothing is stored in between. The process never
 * leaves its loop, the sets are bit fields, which SPIN packs in the state vector, and the sums come
 * from a table in C. There is nothing to store or to do that the game does not ask for.
 */

c_decl {
	/* whether three pegs are in the set whose sum is below 15 */
	static unsigned char is_low[512];
	__attribute__((constructor)) static void make_sums(void)
	{
		int set, peg, size, sum;
		for (set = 0; set < 512; set++) {
			for (peg = size = sum = 0; peg < 9; peg++)
				if (set >> peg & 1) { size++; sum += peg + 1; }
			is_low[set] = size == 3 && sum < 15;
		}
	}
}

unsigned Occ : 9;
unsigned One : 9;    /* the pegs in the first row, and so on */
unsigned Two : 9;
unsigned Three : 9;
unsigned Four : 9;   /* the pegs in the first column, and so on */
unsigned Five : 9;
unsigned Six : 9;
unsigned turn : 1 = 1;
unsigned result : 2; /* 1: A wins, 2: B wins */

#define PLACE(peg, cell, row, column) \
	:: d_step { !((One | Two | Three) >> peg & 1) -> \
		Occ = Occ | 1 << cell; row = row | 1 << peg; column = column | 1 << peg; \
		if \
		:: c_expr { is_low[now.row] || is_low[now.column] } -> result = 1 + turn \
		:: else -> \
			if \
			:: Occ == 511 -> result = 2 - turn \
			:: else -> turn = 1 - turn \
			fi \
		fi }

#define ON(cell, row, column) \
	:: atomic { result == 0 && !(Occ >> cell & 1) -> if \
	PLACE(0, cell, row, column) PLACE(1, cell, row, column) PLACE(2, cell, row, column) \
	PLACE(3, cell, row, column) PLACE(4, cell, row, column) PLACE(5, cell, row, column) \
	PLACE(6, cell, row, column) PLACE(7, cell, row, column) PLACE(8, cell, row, column) \
	fi }

active proctype Play()
{
end:	do
	ON(0, One, Four) ON(1, One, Five) ON(2, One, Six)
	ON(3, Two, Four) ON(4, Two, Five) ON(5, Two, Six)
	ON(6, Three, Four) ON(7, Three, Five) ON(8, Three, Six)
	od
}
