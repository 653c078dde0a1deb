/**
 * Shows after a link of a model or a tool where it leads. It is not part of the text, so copies leave it out.
 * @param isInSentence whether a space has to separate it from the link; elsewhere the layout does
 */
export function LinkHost({ host, isInSentence = false }: { host: string; isInSentence?: boolean }) {
  return (
    <span data-not-copied="" className="shrink-0 text-ink-faint">
      {isInSentence ? ` ${host}` : host}
    </span>
  )
}
