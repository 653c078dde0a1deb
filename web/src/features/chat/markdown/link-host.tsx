/**
 * Where a link leads that a model or a tool named, shown after its text. It is not part of the text, so copies leave it out.
 * @param inText within a sentence, so that a blank separates it
 */
export function LinkHost({ host, inText = false }: { host: string; inText?: boolean }) {
  return (
    <span data-not-copied="" className="shrink-0 text-ink-faint">
      {inText ? ` ${host}` : host}
    </span>
  )
}
