// Layers of a PDF that are off (ISO 32000-1, 8.11): drafts, other languages, notes of a drawing. What stands in them is not on the page.

export interface Layers {
  [Symbol.iterator]: () => Iterator<[id: string, group: unknown]>
  isVisible: (group: unknown) => boolean
}

interface LayeredDocument {
  getOptionalContentConfig: () => Promise<unknown>
}

/** @returns undefined if all layers are shown */
export async function findHiddenLayers(pdf: LayeredDocument): Promise<Layers | undefined> {
  const layers = (await pdf.getOptionalContentConfig().catch(() => undefined)) as Layers | undefined
  if (!layers) return undefined
  const isHidden = [...layers].some(([id]) => !layers.isVisible({ type: 'OCG', id }))
  return isHidden ? layers : undefined
}

interface Mark {
  type?: string
  tag?: string
}

/** @returns none if the texts have other layers than the drawing */
export function findHiddenItems<Item extends object>(
  content: readonly (Item | Mark)[],
  groups: readonly unknown[],
  layers: Layers,
): Set<Item> {
  const hidden = new Set<Item>()
  /** of the marks that are open, whether they hide */
  const open: boolean[] = []
  let found = 0
  for (const item of content) {
    const { type, tag } = item as Mark
    if (type?.startsWith('beginMarkedContent')) {
      const isLayer = tag === 'OC'
      open.push(isLayer && !layers.isVisible(groups[found]))
      if (isLayer) found += 1
    } else if (type === 'endMarkedContent') open.pop()
    else if (open.includes(true)) hidden.add(item as Item)
  }
  return found === groups.length ? hidden : new Set()
}
