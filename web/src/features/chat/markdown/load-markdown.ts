/** Loads the Markdown renderer, which the first page does not need. */
export const loadMarkdown = () => import('./markdown.tsx')

/** Loads the Markdown renderer ahead of the first reply. A failure is ignored: replies are then plain text. */
export function preloadMarkdown(): void {
  loadMarkdown().catch(() => undefined)
}
