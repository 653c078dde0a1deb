import { Trans } from '@lingui/react/macro'
import { formatCount } from '../../../lib/locale.ts'

export const givenPart = (file: { name: string; given: number; of: number; rows?: number | undefined }) => {
  const { name } = file
  if (file.rows !== undefined) return calculatesWith(name, formatCount(file.rows))
  const given = formatCount(file.given)
  const total = formatCount(file.of)
  return (
    <Trans>
      This reply had room for {given} of {total} characters of{' '}
      <bdi className="font-medium text-ink">{name}</bdi>.
    </Trans>
  )
}
const calculatesWith = (name: string, rows: string) => (
  <Trans>
    The assistant calculates with all {rows} rows of <bdi className="font-medium text-ink">{name}</bdi>.
  </Trans>
)
