type Method = (this: Node, ...nodes: unknown[]) => unknown

/** The child of a parent that contains a node, or is it. @returns undefined if the parent does not contain the node */
function findChild(parent: Node, node: Node): Node | undefined {
  let current: Node | null = node
  while (current && current.parentNode !== parent) current = current.parentNode
  return current ?? undefined
}

/**
 * Lets React change a page that the browser has translated. A translation puts texts into elements of its own, or other texts in their
 * place: to insert before such a text or to remove it throws, and the part of the page is lost. Here a moved text is changed with
 * the element that is around it, and one that is gone is left alone (https://github.com/facebook/react/issues/11538).
 * @returns ends it
 */
export function tolerateMovedNodes(): () => void {
  const insertBefore = Reflect.get(Node.prototype, 'insertBefore') as Method
  const removeChild = Reflect.get(Node.prototype, 'removeChild') as Method
  Node.prototype.insertBefore = function insertBeforeMoved<T extends Node>(
    this: Node,
    node: T,
    child: Node | null,
  ): T {
    const before = child && (findChild(this, child) ?? null)
    return Reflect.apply(insertBefore, this, [node, before]) as T
  }
  Node.prototype.removeChild = function removeMovedChild<T extends Node>(this: Node, child: T): T {
    const found = findChild(this, child)
    if (found) Reflect.apply(removeChild, this, [found])
    return child
  }
  return () => Object.assign(Node.prototype, { insertBefore, removeChild })
}
