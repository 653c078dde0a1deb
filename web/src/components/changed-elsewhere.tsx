import { t } from '@lingui/core/macro'
import { Callout } from './ui/callout.tsx'

/**
 * Warns that a text was changed elsewhere while the user was editing it, shows the beginning of the newer text and offers it.
 * @param newer undefined: nothing is shown
 */
export function ChangedElsewhere({
  newer,
  onUse,
}: {
  newer: string | undefined
  onUse: (newer: string) => void
}) {
  if (newer === undefined) return null
  return (
    <Callout variant="warning" action={{ label: t`Use the newer version`, onClick: () => onUse(newer) }}>
      {newer === '' ? (
        t`This was emptied elsewhere while you were editing. Save to keep your text, or use the newer version.`
      ) : (
        <>
          {t`This was changed elsewhere while you were editing. Saving replaces the newer version, which is:`}{' '}
          <bdi className="line-clamp-4 whitespace-pre-wrap wrap-anywhere">{newer}</bdi>
        </>
      )}
    </Callout>
  )
}
