import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { formatCount } from '../../../lib/locale.ts'

export const givenPart = (file: { name: string; given: number; of: number }) => {
  const { name } = file
  const given = formatCount(file.given)
  const total = formatCount(file.of)
  return (
    <Trans>
      Of <bdi className="font-medium text-ink">{name}</bdi> the assistant was given {given} of {total}{' '}
      characters.
    </Trans>
  )
}
export const searchesRest = t`It can search the rest.`
