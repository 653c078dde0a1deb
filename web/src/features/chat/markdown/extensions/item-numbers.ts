import type { List, ListItem, ListItemData, Nodes } from 'mdast'

interface ItemData extends ListItemData {
  /** as written; undefined for bullets */
  number?: number
}

/** Returns the `value` attribute of an item; undefined if the item is counted on from the one before. */
export function getValueAttribute({ data }: ListItem): number | undefined {
  const value = data?.hProperties?.['value']
  return typeof value === 'number' ? value : undefined
}

/** Sets the `value` of each item whose written number is ahead of the count. @returns a new list, with the same objects for unchanged items */
export function setItemValues(list: List): List {
  if (list.ordered !== true) return list
  let expected = list.start ?? 1
  const children = list.children.map((item) => {
    const { number = expected }: ItemData = item.data ?? {}
    const ownNumber = number > expected ? number : undefined
    expected = (ownNumber ?? expected) + 1
    if (ownNumber === getValueAttribute(item)) return item
    const hProperties: Record<string, number> = ownNumber === undefined ? {} : { value: ownNumber }
    return { ...item, data: { ...item.data, hProperties } }
  })
  return { ...list, children }
}

/**
 * Extension: items have the numbers that are written, as long as these increase: an answer to the second and the fourth of several questions
 * has `2.` and `4.`. CommonMark counts on from the first number, and so does this where the written ones do not increase. Changes the tree.
 */
export function readItemNumbers(parent: Nodes, markdown: string): void {
  if (!('children' in parent)) return
  if (parent.type === 'list' && parent.ordered === true) {
    for (const item of parent.children) {
      const start = item.position?.start.offset ?? 0
      const [digits] = /^\d{1,9}/.exec(markdown.slice(start, start + 9)) ?? []
      const data: ItemData = { ...item.data, number: Number(digits) }
      if (digits !== undefined) item.data = data
    }
    parent.children = setItemValues(parent).children
  }
  for (const child of parent.children) readItemNumbers(child, markdown)
}
