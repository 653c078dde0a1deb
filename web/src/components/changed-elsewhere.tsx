import { Callout } from './ui/callout.tsx'
import * as texts from './texts.ts'

/** Says that the text of a form was changed elsewhere while the user was editing it, and offers it. Shows nothing without a newer one. */
export function ChangedElsewhere({
  newer,
  onUse,
}: {
  newer: string | undefined
  onUse: (newer: string) => void
}) {
  if (newer === undefined) return undefined
  return (
    <Callout variant="danger" action={{ label: texts.useNewer, onClick: () => onUse(newer) }}>
      {newer === '' ? (
        texts.emptiedElsewhere
      ) : (
        <>
          {texts.changedElsewhere}{' '}
          <bdi className="line-clamp-4 whitespace-pre-wrap [overflow-wrap:anywhere]">{newer}</bdi>
        </>
      )}
    </Callout>
  )
}
