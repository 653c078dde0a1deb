import { t } from '@lingui/core/macro'
import { type RefObject, useMemo, useRef, useState } from 'react'
import type { DiagramFailure } from '#shared/diagram-frame.ts'
import { ScrollRegion } from '../../../components/scroll-region.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { Status } from '../../../components/ui/status.tsx'
import { useConfig } from '../../../lib/api/config.ts'
import { readTable, shownLimits } from '../../../lib/browser/read-table.ts'
import { revealHiddenCharacters } from '../../../lib/text/hidden-characters.ts'
import { formatConjunction, formatCount } from '../../../lib/text/locale.ts'
import type { PreviewAnswers, PreviewStorage } from '../apps/frame-document.ts'
import { ChartCard, type ChartState } from '../charts/chart-card.tsx'
import { DiagramFailureNote } from '../markdown/diagram-failure.tsx'
import { Diagram } from '../markdown/diagram.tsx'
import { Markdown } from '../markdown/markdown.tsx'
import { PreviewContext, type PreviewSource } from '../preview-context.ts'
import { frontMatter } from './describe-block-content.ts'
import { kindNames } from './preview-file.ts'
import { PreviewFrame, type StopReason } from './preview-frame.tsx'
import type { PreviewNotice } from './preview-messages.ts'

/** A chart in the preview panel, or why it is not drawn. */
function ChartPreview({ code }: { code: string }) {
  const [{ problem }, setState] = useState<ChartState>({ isDrawn: false })
  return (
    <div className="relative h-full overflow-y-auto p-4 scroll-quiet">
      <ChartCard code={code} onStateChange={setState} />
      {/* there before its text, so that screen readers announce it */}
      <p role="status" className="text-sm text-ink-muted wrap-anywhere">
        {problem}
      </p>
    </div>
  )
}

const describeBlockedFiles = (hosts: readonly string[]) => {
  const names = formatConjunction(hosts)
  return t`This page wants files from ${names}; previews have no network.`
}
const describeMissingFiles = (fileNames: readonly string[]) => {
  const names = formatConjunction(fileNames)
  return t`This page wants files that the preview does not have: ${names}.`
}

/** The preview of a code block: what it describes or does. Code that runs needs the code as `key`, so that each version starts anew. */
export function PreviewContent({
  kind,
  code,
  isComplete,
  missing,
  storage,
}: RunningPreviewProps & { isComplete: boolean }) {
  switch (kind) {
    case 'csv':
      return <CsvTable code={code} isComplete={isComplete} />
    case 'markdown':
      return (
        <div className="h-full overflow-y-auto p-5 scroll-quiet">
          {/* no preview of a block inside a preview */}
          <PreviewContext value={undefined}>
            <Markdown text={showFrontMatter(code)} isStreaming={false} />
          </PreviewContext>
        </div>
      )
    case 'vega-lite':
      return <ChartPreview code={code} />
    case 'mermaid':
      return <DiagramPreview source={code} />
    case 'html':
    case 'svg':
      return <RunningPreview kind={kind} code={code} missing={missing} storage={storage} />
    default:
      kind satisfies never
      // a kind that is added and forgotten here must not run
      return (
        <p className="p-5 text-sm text-ink-muted">{t`This version cannot show a preview of this kind.`}</p>
      )
  }
}

/** Shows front matter as a code block; as Markdown, its last line would make it a heading. */
const showFrontMatter = (code: string) => code.replace(frontMatter, '```yaml\n$1\n```\n')

interface RunningPreviewProps extends PreviewSource {
  /** names of files that it uses and does not have */
  missing: readonly string[]
  /** the storage of the previews in this panel */
  storage: RefObject<PreviewStorage>
}

/** A longer list of files would not help the user. */
const maxNamedFiles = 5

/** A preview that runs in the sandbox, with notes on what it could not load. Renders nothing in a deployment without a sandbox. */
function RunningPreview({ kind, code, missing, storage }: RunningPreviewProps) {
  const origin = useConfig()?.appsOrigin
  const region = useRef<HTMLDivElement>(null)
  const [stopReason, setStopReason] = useState<StopReason>()
  const [answers, setAnswers] = useState<PreviewAnswers>([])
  const [notice, setNotice] = useState<PreviewNotice>()
  if (origin === undefined) return null
  if (stopReason)
    return (
      <StoppedPreview
        reason={stopReason}
        onStart={() => {
          setNotice(undefined)
          setStopReason(undefined)
        }}
      />
    )
  return (
    <div ref={region} className="flex h-full flex-col">
      <PreviewNotes missing={missing} notice={notice} />
      <div className="min-h-0 flex-1">
        <PreviewFrame
          // a key, because a document that asks while it loads is loaded again with the answers
          key={answers.length}
          origin={origin}
          kind={kind}
          code={code}
          title={`${t`Preview`}: ${kindNames[kind]}`}
          storage={storage}
          answers={answers}
          onStop={setStopReason}
          onNotice={setNotice}
          onRestart={(next) => {
            if (next.length <= answers.length) return
            if (region.current?.contains(document.activeElement)) focusPanel(region.current)
            setAnswers(next)
          }}
        />
      </div>
    </div>
  )
}

/** What a preview could not load or do. */
function PreviewNotes({
  missing,
  notice,
}: Pick<RunningPreviewProps, 'missing'> & { notice: PreviewNotice | undefined }) {
  return (
    <Status dir="auto" className="shrink-0 text-sm text-ink-muted">
      {missing.length > 0 && (
        <p className="border-b border-line px-5 py-2 wrap-anywhere">
          {describeMissingFiles(missing.slice(0, maxNamedFiles))}
        </p>
      )}
      {notice && notice.hosts.length > 0 && (
        <p className="border-b border-line px-5 py-2 wrap-anywhere">{describeBlockedFiles(notice.hosts)}</p>
      )}
      {notice?.isLeaving && (
        <p className="border-b border-line px-5 py-2">{t`Links to other pages and downloads do nothing in a preview.`}</p>
      )}
    </Status>
  )
}

/** Says why a preview was stopped. */
function StoppedPreview({ reason, onStart }: { reason: StopReason; onStart: () => void }) {
  if (reason === 'unguarded')
    return (
      <div className="p-5">
        <Callout variant="info">{t`The preview was not opened: in this browser it might reach the network.`}</Callout>
      </div>
    )
  return (
    <div className="grid justify-items-start gap-3 p-5">
      <Callout variant="info">
        {reason === 'takeover'
          ? t`The preview was stopped: it took the keyboard while you were elsewhere on this page.`
          : t`The preview was stopped: it did not respond.`}
      </Callout>
      <Button
        size="sm"
        onClick={({ currentTarget }) => {
          focusPanel(currentTarget)
          onStart()
        }}
      >
        {t`Start again`}
      </Button>
    </div>
  )
}

/** Focuses the panel around an element that is about to go. A preview may take the focus from there, but not from elsewhere on the page. */
const focusPanel = (node: Element | null) => node?.closest('section')?.focus({ preventScroll: true })

/** Takes the place of a version that runs only if the user starts it. */
export function PreviewQuestion({ onRun }: { onRun: () => void }) {
  return (
    <div className="grid justify-items-start gap-3 p-5">
      <Callout variant="info">{t`This version does not run by itself: the assistant may have read text of others for it.`}</Callout>
      <Button
        size="sm"
        onClick={({ currentTarget }) => {
          focusPanel(currentTarget)
          onRun()
        }}
      >
        {t`Run`}
      </Button>
    </div>
  )
}

/** A diagram, or why it is not drawn. */
function DiagramPreview({ source }: { source: string }) {
  const [failure, setFailure] = useState<DiagramFailure>()
  return (
    <div className="relative h-full overflow-y-auto pt-4 scroll-quiet">
      <Diagram source={source} isHidden={false} onResult={setFailure} />
      {failure && (
        <div className="px-5">
          <DiagramFailureNote failure={failure} source={source} />
        </div>
      )}
    </div>
  )
}

/** CSV as a table, which grows while the code is being written. */
function CsvTable({ code, isComplete }: { code: string; isComplete: boolean }) {
  const { rows, isCut } = useMemo(() => readTable(code, { isIncomplete: !isComplete }), [code, isComplete])
  const [head, ...body] = rows
  if (!head) return <p className="p-5 text-sm text-ink-muted">{t`This table is empty.`}</p>
  const [rowLimit, columnLimit] = [formatCount(shownLimits.rows), formatCount(shownLimits.columns)]
  return (
    <div className="grid h-full grid-rows-[auto_minmax(0,1fr)]">
      {/* also without a text, because it is the first row of the grid */}
      <p className="text-sm text-ink-muted">
        {isCut && (
          <span className="block px-5 py-3">{t`Only the first ${rowLimit} rows and ${columnLimit} columns are shown. The download has all of them.`}</span>
        )}
      </p>
      <ScrollRegion label={t`Table`} className="overflow-y-auto -outline-offset-2">
        <table dir="auto" translate="no" className="min-w-full text-sm">
          <thead className="sticky top-0 bg-(--scroll-surface)">
            <tr>
              {head.map((cell, column) => (
                <th key={column} scope="col" className={`${cellClass} font-semibold`}>
                  {revealHiddenCharacters(cell.trim())}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {body.map((row, index) => (
              <tr key={index}>
                {row.map((cell, column) => (
                  <td key={column} className={cellClass}>
                    {revealHiddenCharacters(cell.trim())}
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
