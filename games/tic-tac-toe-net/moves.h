/* Places and transitions of tic-tac-toe, for any WON and DRAWN.

   The place `board` holds one token: the configuration, with the nine positions <1,1>, <1,2>, ...,
   <3,3> in this order, called a to i. 0 is blank, 1 is x and 2 is o.
   The place `turn` holds the player whose turn it is.

        a b c
        d e f
        g h i
*/

#define ALL a,b,c,d,e,f,g,h,i
#define NEXT 3-t

#place board lo(<.0,0,0,0,0,0,0,0,0.>) hi(<.2,2,2,2,2,2,2,2,2.>) mk(<.0,0,0,0,0,0,0,0,0.>)
#place turn lo(<.1.>) hi(<.2.>) mk(<.1.>)

/* A turn: the player t switches one position from blank, and the game is not over. */
#define TURN(position,p,q,r,u,v,w,x,y,z) \
    in { board: <.ALL.>; turn: <.t.>; } \
    out { board: <.p,q,r,u,v,w,x,y,z.>; turn: <.NEXT.>; } \
    gate position == 0 && !WON && !DRAWN;

#trans m11
TURN(a, t,b,c,d,e,f,g,h,i)
#endtr
#trans m12
TURN(b, a,t,c,d,e,f,g,h,i)
#endtr
#trans m13
TURN(c, a,b,t,d,e,f,g,h,i)
#endtr
#trans m21
TURN(d, a,b,c,t,e,f,g,h,i)
#endtr
#trans m22
TURN(e, a,b,c,d,t,f,g,h,i)
#endtr
#trans m23
TURN(f, a,b,c,d,e,t,g,h,i)
#endtr
#trans m31
TURN(g, a,b,c,d,e,f,t,h,i)
#endtr
#trans m32
TURN(h, a,b,c,d,e,f,g,t,i)
#endtr
#trans m33
TURN(i, a,b,c,d,e,f,g,h,t)
#endtr

/* A draw goes on for ever, so that its node is a component with an arc inside. A win does not. */
#trans rest
in { board: <.ALL.>; }
out { board: <.ALL.>; }
gate DRAWN;
#endtr
