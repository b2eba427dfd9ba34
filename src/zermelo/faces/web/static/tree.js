// The lines that were tried: a tree of moves, and where one is in it. Looking back changes nothing;
// playing from the past opens a branch.

export class Tree {
  constructor() {
    this.root = { move: null, text: "", player: null, parent: null, children: [], best: 0 };
    this.here = this.root;
  }

  get moves() {
    return this.path(this.here).map((node) => node.move);
  }

  path(node) {
    const found = [];
    for (let at = node; at.parent; at = at.parent) found.unshift(at);
    return found;
  }

  // Go on with a move: along the line that has it, or on a new one.
  go({ move, text, player }) {
    let next = this.here.children.find((each) => each.move === move);
    if (!next) {
      next = { move, text, player, parent: this.here, children: [], best: 0 };
      this.here.children.push(next);
    }
    next.text = text;
    next.player = player;
    this.here.best = this.here.children.indexOf(next);
    this.here = next;
  }

  // Follow a play from the beginning.
  follow(played) {
    this.here = this.root;
    for (const each of played) this.go(each);
  }

  back() {
    if (!this.here.parent) return false;
    this.here = this.here.parent;
    return true;
  }

  forward() {
    const next = this.here.children[this.here.best];
    if (!next) return false;
    this.here = next;
    return true;
  }

  drop(node) {
    if (!node.parent) return;
    if (this.path(this.here).includes(node)) this.here = node.parent;
    node.parent.children = node.parent.children.filter((each) => each !== node);
    node.parent.best = 0;
  }

  // As text, to be kept; and back.
  toText() {
    const write = (node) => [node.move, node.text, node.player, node.best, node.children.map(write)];
    return JSON.stringify({ tree: write(this.root), here: this.path(this.here).map((node) => node.parent.children.indexOf(node)) });
  }

  static fromText(text) {
    const tree = new Tree();
    try {
      const { tree: told, here } = JSON.parse(text);
      const read = ([move, text_, player, best, children], parent) => {
        const node = { move, text: text_, player, parent, best, children: [] };
        node.children = children.map((each) => read(each, node));
        return node;
      };
      tree.root = read(told, null);
      tree.here = tree.root;
      for (const at of here) tree.here = tree.here.children[at] ?? tree.here;
    } catch {
      // What was kept by another version is of no use, and a play begins anew.
      return new Tree();
    }
    return tree;
  }
}
