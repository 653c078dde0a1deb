import { t } from '@lingui/core/macro'
import type { ToolCall } from '#shared/contracts/chat.ts'
import { findQueryError, parseTableResult } from '#shared/table-result.ts'
import { translateSentences } from '../../../lib/translate-sentences.ts'
import { CodeBlock } from '../markdown/code-block.tsx'
import { revealHiddenCharacters } from '../../../lib/hidden-characters.ts'
import { describeSources } from './describe-sources.ts'
import { formatSql } from './format-cells.ts'
import { QueryTable } from './query-table.tsx'

/** The statement of a query, and where its rows come from. @param hasTable whether the table is shown elsewhere */
export function QueryDetails({ call, isTableShown }: { call: ToolCall; isTableShown: boolean }) {
  const result = parseTableResult(call)
  const { sql } = call.parameters
  const { success, error: failure = '', codes } = call.result
  const problem = findQueryError(call) ?? (success ? undefined : { text: failure, codes })
  const error = problem && translateSentences(problem.text, problem.codes)
  return (
    <>
      {typeof sql === 'string' && (
        <section className="min-w-0 [--hairline:initial]">
          <h3 className="mb-1 text-xs font-medium text-ink-faint">{t`Question to the table`}</h3>
          <CodeBlock code={formatSql(sql)} language="sql" isComplete />
        </section>
      )}
      {error !== undefined && (
        <p className="wrap-anywhere text-danger-ink">{revealHiddenCharacters(error)}</p>
      )}
      {result && !isTableShown && result.rows.length > 0 && <QueryTable result={result} />}
      {result?.rows.length === 0 && <p className="text-ink-muted">{t`No rows`}</p>}
      {result && result.sources.length > 0 && (
        <p dir="auto" className="text-ink-faint wrap-anywhere">
          {revealHiddenCharacters(t`From ${describeSources(result.sources, true)}.`)}{' '}
          {result.sources.some(({ file }) => file !== undefined) && t`The file was not changed.`}
        </p>
      )}
    </>
  )
}
