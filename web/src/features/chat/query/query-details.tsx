import { t } from '@lingui/core/macro'
import type { ToolCall } from '#shared/contracts/chat.ts'
import { findQueryError, parseTableResult } from '#shared/table-result.ts'
import { formatServerText, revealHiddenCharacters } from '../../../lib/text/hidden-characters.ts'
import { translateSentences } from '../../../lib/text/translate-sentences.ts'
import { CodeBlock } from '../markdown/code-block.tsx'
import { describeSources } from './describe-sources.ts'
import { formatSql } from './format-sql.ts'
import { QueryTable } from './query-table.tsx'

/**
 * A query of the tool `query_table`: its statement, its error or its rows, and where these come from. Secrets are masked in the statement and in
 * the error.
 * @param isTableShown whether the rows are shown below the reply, and so not here
 */
export function QueryDetails({ call, isTableShown }: { call: ToolCall; isTableShown: boolean }) {
  const result = parseTableResult(call)
  const { sql } = call.parameters
  const { success, error: callError = '', codes } = call.result
  const failure = findQueryError(call) ?? (success ? undefined : { text: callError, codes })
  const error = failure && translateSentences(failure.text, failure.codes)
  return (
    <>
      {typeof sql === 'string' && (
        // the block has its own line around it, not the one of the call's outcome
        <section className="min-w-0 [--hairline:initial]">
          <h3 className="mb-1 text-xs font-medium text-ink-faint">{t`Question to the table`}</h3>
          <CodeBlock code={formatSql(formatServerText(sql))} language="sql" isComplete />
        </section>
      )}
      {error !== undefined && (
        <p className="wrap-anywhere text-danger-ink">{formatServerText(error) || t`The call failed.`}</p>
      )}
      {result && !isTableShown && result.rows.length > 0 && <QueryTable result={result} />}
      {result?.rows.length === 0 && <p className="text-ink-muted">{t`No rows`}</p>}
      {result && result.sources.length > 0 && (
        <p dir="auto" className="text-ink-faint wrap-anywhere">
          {revealHiddenCharacters(t`From ${describeSources(result.sources, { withRanges: true })}.`)}{' '}
          {result.sources.some(({ file }) => file !== undefined) && t`The file was not changed.`}
        </p>
      )}
    </>
  )
}
