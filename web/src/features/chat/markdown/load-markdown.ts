export const loadMarkdown = () => import('./markdown.tsx')

/** Loads the markdown renderer ahead of the first reply. */
export function preloadMarkdown(): void {
  // without it replies are plain text
  loadMarkdown().catch(() => undefined)
}
