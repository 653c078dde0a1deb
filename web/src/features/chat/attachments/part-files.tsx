import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Usage } from '#shared/contracts/chat.ts'
import { formatCount } from '../../../lib/locale.ts'

/** Says of which documents the model was given only a part for a reply. Each reply reads its documents anew, so several may say it of one. */
export function PartFiles({ files }: { files: NonNullable<Usage['partFiles']> }) {
  return (
    <p className="max-w-(--width-note) text-sm text-ink-muted">
      {files.map((file) => (
        <span key={file.id}>{describePart(file)} </span>
      ))}
      {files.some(({ rows }) => rows === undefined) && t`The assistant can search the rest.`}
    </p>
  )
}

const describePart = (file: NonNullable<Usage['partFiles']>[number]) => {
  const { name } = file
  if (file.rows !== undefined) return describeCalculatedRows(name, formatCount(file.rows))
  const given = formatCount(file.given)
  const total = formatCount(file.of)
  return (
    <Trans>
      This reply had room for {given} of {total} characters of{' '}
      <bdi className="font-medium text-ink">{name}</bdi>.
    </Trans>
  )
}
const describeCalculatedRows = (name: string, rows: string) => (
  <Trans>
    The assistant calculates with all {rows} rows of <bdi className="font-medium text-ink">{name}</bdi>.
  </Trans>
)
