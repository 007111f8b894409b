/** The element that replaces a text, or an earlier translation of one, see {@link tolerateTranslators}. */
const standIns = new WeakMap<Node, Element>();

/** Watches for changes of texts that are replaced. */
const texts = new MutationObserver((records) => {
  for (const { target } of records) getStandIn(target)?.replaceWith(target);
});

const replacements = new MutationObserver((records) => {
  for (const record of records) for (const node of record.removedNodes) noteReplacement(record, node);
});

/**
 * Page translators (those of browsers, and extensions) replace each text by elements of their own: `<font>` in Chrome and
 * Edge. React keeps the texts that it made: it could neither remove one nor insert something before it, which ends in the error
 * page, and a changed text would not be seen. So what stands in for a text is removed with it, marks its place, and goes when the
 * text changes: the translator then translates the new one. What others have removed from the page is not looked for.
 *
 * Call before anything is rendered.
 */
export function tolerateTranslators(): void {
  replacements.observe(document, { childList: true, subtree: true });
  const { appendChild, insertBefore, removeChild } = Node.prototype;
  Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
    const standIn = findStandIn(this, child);
    if (standIn !== undefined) standIn.remove();
    else if (child.parentNode === this) removeChild.call(this, child);
    return child;
  };
  Node.prototype.insertBefore = function <Child extends Node>(
    this: Node,
    child: Child,
    before: Node | null,
  ): Child {
    findStandIn(this, child)?.remove();
    const place = before && (findStandIn(this, before) ?? before);
    insertBefore.call(this, child, place?.parentNode === this ? place : null);
    return child;
  };
  Node.prototype.appendChild = function <Child extends Node>(this: Node, child: Child): Child {
    findStandIn(this, child)?.remove();
    appendChild.call(this, child);
    return child;
  };
}

/** A text is replaced by an element in one step, or an element is inserted before the text, which is then removed. */
function noteReplacement({ addedNodes, previousSibling }: MutationRecord, node: Node): void {
  if (node.isConnected || !(node instanceof Text || node.nodeName === 'FONT')) return;
  const before = previousSibling?.nodeName === 'FONT' ? previousSibling : null;
  const added = addedNodes[0] ?? before;
  if (!(added instanceof Element)) return;
  standIns.set(node, added);
  if (node instanceof Text) texts.observe(node, { characterData: true });
}

/** The element in place of a node that was replaced; of several translations the last. */
function getStandIn(node: Node): Element | undefined {
  if (node.parentNode !== null) return undefined;
  let standIn = standIns.get(node);
  while (standIn !== undefined && standIn.parentNode === null) standIn = standIns.get(standIn);
  return standIn;
}

function findStandIn(parent: Node, node: Node): Element | undefined {
  const standIn = getStandIn(node);
  return standIn?.parentNode === parent ? standIn : undefined;
}
