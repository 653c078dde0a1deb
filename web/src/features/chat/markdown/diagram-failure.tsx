import { t } from '@lingui/core/macro'
import type { DiagramFailure } from '#shared/diagram-frame.ts'
import { revealHiddenCharacters } from '../../../lib/text/hidden-characters.ts'

/** Encloses code in characters that keep its direction within a sentence. */
const isolate = (code: string) => `\u2066${code}\u2069`

/** The line that a failure names. Of what is never closed, Mermaid names a line behind the last one: then it is the last one that has text. */
function findLine({ line }: DiagramFailure, source: string): number | undefined {
  const text = source.trimEnd()
  return line === undefined || text === '' ? undefined : Math.min(line, text.split('\n').length)
}

/** Says that a diagram could not be drawn, in which line, and why, as far as that is known. */
export function DiagramFailureNote({ failure, source }: { failure: DiagramFailure; source: string }) {
  const { found, isUnknown, reason } = failure
  const line = findLine(failure, source)
  const code = line === undefined ? undefined : source.split('\n')[line - 1]?.trim()
  // an empty line says nothing
  const detail = code || reason
  return (
    <div className="grid gap-1 text-xs text-ink-muted">
      <p>{t`This diagram could not be drawn.`}</p>
      {isUnknown && <p>{t`Its first line names no kind of diagram.`}</p>}
      {line !== undefined && (
        <p>
          {found === undefined
            ? t`Line ${line} cannot be read:`
            : t`In line ${line}, “${isolate(revealHiddenCharacters(found))}” is not expected:`}
        </p>
      )}
      {detail !== undefined && (
        <code dir="ltr" translate="no" className="wrap-anywhere">
          {revealHiddenCharacters(detail)}
        </code>
      )}
    </div>
  )
}
