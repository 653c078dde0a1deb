import type { ReactNode } from 'react'

/**
 * A note after a link of a model or a tool, such as the host that it leads to. It is not part of the text, so copies leave it out.
 * @param isInSentence whether a space has to separate it from the link; elsewhere the layout does
 */
export function LinkNote({
  isInSentence = false,
  children,
}: {
  isInSentence?: boolean
  children: ReactNode
}) {
  return (
    // a text that turns the direction around could turn the name of a host into another one
    <bdi data-not-copied="" className="shrink-0 text-ink-faint">
      {isInSentence && ' '}
      {children}
    </bdi>
  )
}
