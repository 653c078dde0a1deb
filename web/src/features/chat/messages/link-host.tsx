/** Where a link leads that a model or a tool named, shown after its text. */
export function LinkHost({ host }: { host: string }) {
  return <span className="shrink-0 text-ink-faint">{host}</span>
}
