import { useMemo, useState } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { useConfig } from '../../../lib/config.ts'
import { Diagram } from '../markdown/diagram.tsx'
import { Markdown } from '../markdown/markdown.tsx'
import { ScrollRegion } from '../markdown/scroll-region.tsx'
import { revealHiddenCharacters } from '../tools/hidden-characters.ts'
import { parseCsv } from './parse-csv.ts'
import { PreviewContext, type PreviewSource } from './preview-context.ts'
import { PreviewFrame, type StopReason } from './preview-frame.tsx'
import * as texts from './texts.ts'

/** What a block of code describes or does. Give it the code as `key` where the code runs, so that each version starts anew. */
export function PreviewContent({ kind, code }: PreviewSource) {
  switch (kind) {
    case 'csv':
      return <CsvTable code={code} />
    case 'markdown':
      return (
        <div className="h-full overflow-y-auto p-5 scroll-quiet">
          {/* no preview of a block inside a preview */}
          <PreviewContext value={undefined}>
            <Markdown text={code} streaming={false} />
          </PreviewContext>
        </div>
      )
    case 'mermaid':
      return <DiagramPreview source={code} />
    default:
      return <RunningPreview kind={kind} code={code} />
  }
}

function RunningPreview({ kind, code }: PreviewSource) {
  const origin = useConfig()?.appsOrigin
  const [stopReason, setStopReason] = useState<StopReason>()
  if (origin === undefined) return null
  if (stopReason)
    return (
      <div role="alert" className="grid justify-items-start gap-3 p-5">
        <Callout variant="info">{stopReason === 'takeover' ? texts.stoppedTakeover : texts.stopped}</Callout>
        <Button
          size="sm"
          onClick={({ currentTarget }) => {
            // inside the panel, so that the preview may take the focus
            currentTarget.closest('section')?.focus({ preventScroll: true })
            setStopReason(undefined)
          }}
        >
          {texts.startAgain}
        </Button>
      </div>
    )
  return (
    <PreviewFrame
      origin={origin}
      kind={kind}
      code={code}
      title={`${texts.preview}: ${texts.kinds[kind]}`}
      onStop={setStopReason}
    />
  )
}

function DiagramPreview({ source }: { source: string }) {
  const [isDrawn, setDrawn] = useState<boolean>()
  return (
    <div className="relative h-full overflow-y-auto pt-4 scroll-quiet">
      <Diagram source={source} isHidden={false} onDrawnChange={setDrawn} />
      {isDrawn === false && <p className="px-5 text-sm text-ink-muted">{texts.notDrawn}</p>}
    </div>
  )
}

function CsvTable({ code }: { code: string }) {
  const { rows, isCut } = useMemo(() => parseCsv(code), [code])
  const [head, ...body] = rows
  if (!head) return <p className="p-5 text-sm text-ink-muted">{texts.noRows}</p>
  return (
    <div className="grid h-full grid-rows-[auto_minmax(0,1fr)]">
      <p className="text-sm text-ink-muted">
        {isCut && <span className="block px-5 py-3">{texts.tableCut}</span>}
      </p>
      <ScrollRegion label={texts.table} className="overflow-y-auto -outline-offset-2">
        <table dir="auto" translate="no" className="min-w-full text-sm">
          <thead className="sticky top-0 bg-(--scroll-surface)">
            <tr>
              {head.map((cell, column) => (
                <th key={column} scope="col" className={`${cellClass} font-semibold`}>
                  {revealHiddenCharacters(cell)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {body.map((row, index) => (
              <tr key={index}>
                {row.map((cell, column) => (
                  <td key={column} className={cellClass}>
                    {revealHiddenCharacters(cell)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </div>
  )
}

const cellClass =
  'max-w-96 border-b border-line px-3 py-2 text-start align-top first:ps-5 last:pe-5 whitespace-pre-wrap'
