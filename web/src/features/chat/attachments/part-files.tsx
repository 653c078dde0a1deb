import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ToolCall, Usage } from '#shared/contracts/chat.ts'
import { toToolCall, type ReplyCall } from '#shared/reply/reply-state.ts'
import { parseTableResult } from '#shared/table-result.ts'
import { formatCount } from '../../../lib/locale.ts'

type PartFile = NonNullable<Usage['partFiles']>[number]

/**
 * Says of which documents the model was given only a part for a reply, and with which tables it has calculated. Each reply reads its documents
 * anew, so several may say it of one.
 */
export function PartFiles({
  files,
  calls,
}: {
  files: readonly PartFile[]
  calls: readonly (ToolCall | ReplyCall)[]
}) {
  const sources = calls.flatMap(
    (call) => parseTableResult('id' in call ? toToolCall(call) : call)?.sources ?? [],
  )
  const isQueried = ({ id, name }: PartFile) =>
    // files of an assistant have no id that can be used again
    sources.some(({ file_id: fileId, file }) => (fileId === undefined ? file === name : fileId === id))
  const shown = files.filter((file) => file.rows === undefined || isQueried(file))
  if (shown.length === 0) return null
  return (
    <p className="max-w-(--width-note) text-sm text-ink-muted">
      {shown.map((file) => (
        <span key={file.id}>{describePart(file)} </span>
      ))}
      {shown.some(({ rows }) => rows === undefined) && t`The assistant can search the rest.`}
    </p>
  )
}

const describePart = (file: PartFile) => {
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
