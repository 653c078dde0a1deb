import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { CodeXml, PanelRight, WrapText } from 'lucide-react'
import { memo, startTransition, use, useEffect, useState, type ReactNode } from 'react'
import type { DiagramFailure } from '#shared/diagram-frame.ts'
import { lazyComponent } from '../../../components/lazy-component.tsx'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { isChart } from '../charts/is-chart.ts'
import type { ChartState } from '../charts/chart-card.tsx'
import { PreviewContext, type PreviewSource } from '../preview-context.ts'
import { getPreviewKind } from './preview-kind.ts'
import { revealHiddenCharacters } from '../../../lib/text/hidden-characters.ts'
import { CopyButton } from './copy-button.tsx'
import { DiagramFailureNote } from './diagram-failure.tsx'
import {
  findHighlighted,
  highlight,
  getLanguageLabel,
  isPlainText,
  type CodeToken,
  type TokenKind,
} from './highlight.ts'
import { ScrollRegion } from '../../../components/scroll-region.tsx'

const tokenClasses: Record<TokenKind, string> = {
  keyword: 'text-code-keyword',
  string: 'text-code-string',
  number: 'text-code-number',
  type: 'text-code-type',
  comment: 'text-code-comment',
}

/** If it cannot be loaded, the code is shown. */
const Diagram = lazyComponent(() => import('./diagram.tsx'), 'Diagram', null, {
  silent: true,
})

/** If it cannot be loaded, the code is shown. */
const ChartCard = lazyComponent(() => import('../charts/chart-card.tsx'), 'ChartCard', null, {
  silent: true,
})

interface CodeBlockProps {
  code: string
  /** the first word of the fence; empty if it has none */
  language: string
  /** false while the code is being written; it is highlighted and drawn when it is complete */
  isComplete: boolean
  /** neither coloured nor drawn */
  isPlain?: boolean
}

/** A code block of a reply. Complete Mermaid is drawn as a diagram, complete Vega-Lite as a chart. */
export const CodeBlock = memo(function CodeBlock(props: CodeBlockProps) {
  return props.isComplete && !props.isPlain && isChart(props.language, props.code) ? (
    // a key, so that another chart starts with a new state
    <ChartBlock key={props.code} {...props} />
  ) : (
    <Code {...props} />
  )
})

/** A chart, and its code until it is drawn, if it cannot be, or if the user wants it. */
function ChartBlock(props: CodeBlockProps) {
  const [{ isDrawn, problem }, setState] = useState<ChartState>({ isDrawn: false })
  const [wantsCode, setWantsCode] = useState(false)
  return (
    <div className="relative grid grid-cols-1 gap-2" data-undrawn={!isDrawn && problem === undefined}>
      <ChartCard
        code={props.code}
        wantsCode={wantsCode}
        onWantsCodeChange={setWantsCode}
        onStateChange={setState}
      />
      {(!isDrawn || wantsCode) && <Code {...props} note={problem} hasPreview={!isDrawn} />}
    </div>
  )
}

/** A code block of a user message: no diagram, no chart, no preview. */
export const SourceCode = memo(function SourceCode(
  props: Pick<CodeBlockProps, 'code' | 'language' | 'isPlain'>,
) {
  return <Code {...props} isComplete isSource />
})

interface CodeProps extends CodeBlockProps {
  /** a sentence above the code */
  note?: string | undefined
  hasPreview?: boolean
  /** neither drawn nor previewed */
  isSource?: boolean
}

/** A code block with its language, and buttons to copy, wrap and preview it. One of Mermaid is a diagram once it is drawn. */
function Code({
  code,
  language,
  isComplete,
  isPlain = false,
  note,
  hasPreview = true,
  isSource = false,
}: CodeProps) {
  const [isWrapped, setWrapped] = useState(false)
  const kind = isSource ? undefined : getPreviewKind(language, code)
  const label = kind === 'mermaid' ? 'Mermaid' : getLanguageLabel(language)
  const isDiagram = isComplete && !isPlain && kind === 'mermaid'
  /** why the diagram is not drawn; null once it is drawn; undefined before */
  const [failure, setFailure] = useState<DiagramFailure | null>()
  const isDrawn = isDiagram && failure === null
  const [wantsCode, setWantsCode] = useState(false)
  const showsCode = !isDrawn || wantsCode
  return (
    <div
      className="relative overflow-hidden rounded-md bg-surface-sunken hairline"
      data-undrawn={isDiagram && failure === undefined}
    >
      <div
        data-not-copied=""
        className="flex h-10 items-center pe-1.5 ps-4 text-xs text-ink-faint print:[&_button]:hidden"
      >
        <span className="min-w-0 flex-1 truncate font-medium">{label}</span>
        {isDrawn && (
          <IconButton
            size="sm"
            label={t`Show code`}
            aria-pressed={wantsCode}
            icon={<CodeXml size={16} />}
            onClick={() => setWantsCode(!wantsCode)}
            className="aria-pressed:text-accent-ink"
          />
        )}
        {showsCode && (
          <IconButton
            size="sm"
            label={t`Wrap lines`}
            aria-pressed={isWrapped}
            icon={<WrapText size={16} />}
            onClick={() => setWrapped(!isWrapped)}
            className="aria-pressed:text-accent-ink"
          />
        )}
        {hasPreview && kind && <PreviewButton source={{ kind, code }} />}
        <CopyButton label={t`Copy code`} text={code} />
      </div>
      {isDiagram && (
        <Diagram source={code} isHidden={wantsCode} onResult={(problem) => setFailure(problem ?? null)} />
      )}
      {isDiagram && failure && (
        <div className="px-4 pb-2">
          <DiagramFailureNote failure={failure} source={code} />
        </div>
      )}
      {note !== undefined && <p className="px-4 pb-2 text-xs text-ink-muted wrap-anywhere">{note}</p>}
      {showsCode && <CodeText {...{ code, language, isComplete, isPlain, label, isWrapped }} />}
    </div>
  )
}

/** The code itself, which scrolls unless its lines are wrapped. */
function CodeText({
  code,
  language,
  isComplete,
  isPlain,
  label,
  isWrapped,
}: CodeBlockProps & { label: string; isWrapped: boolean }) {
  const tokens = useHighlightedCode(code, language, isComplete && !isPlain) ?? [{ text: code }]
  return (
    <ScrollRegion
      label={label}
      className="mx-px mb-px px-[15px] pb-[13px] -outline-offset-2 [--scroll-surface:var(--color-surface-sunken)]"
    >
      <pre
        dir={isPlainText(language) ? 'auto' : 'ltr'}
        translate="no"
        className={clsx(
          'font-mono text-sm [tab-size:2] print:whitespace-pre-wrap',
          isWrapped && 'whitespace-pre-wrap wrap-anywhere',
        )}
      >
        <code>{tokens.map(renderToken)}</code>
      </pre>
    </ScrollRegion>
  )
}

/** Opens the preview of a block. Renders nothing where blocks, or those of its kind, have none. */
function PreviewButton({ source }: { source: PreviewSource }) {
  const previews = use(PreviewContext)
  const needsSandbox = source.kind === 'html' || source.kind === 'svg'
  if (!previews || (needsSandbox && !previews.hasSandbox)) return null
  return (
    <IconButton
      size="sm"
      label={t`Preview`}
      icon={<PanelRight size={16} />}
      onClick={({ currentTarget }) => previews.open(source, currentTarget)}
    />
  )
}

function renderToken({ text, kind }: CodeToken, index: number): ReactNode {
  // characters that reorder text could make the code look like other code
  const visibleText = revealHiddenCharacters(text)
  return kind ? (
    <span key={index} className={tokenClasses[kind]}>
      {visibleText}
    </span>
  ) : (
    visibleText
  )
}

/** The tokens of highlighted code; undefined until the code is complete and its grammar is loaded, and for code that `highlight` leaves plain. */
function useHighlightedCode(code: string, language: string, isComplete: boolean) {
  // stored here too, because the cache drops the tokens of a page with many blocks
  const [stored, setStored] = useState(() => ({ code, language, tokens: findHighlighted(code, language) }))
  const isStored = stored.code === code && stored.language === language
  const tokensOfCode = (isStored ? stored.tokens : undefined) ?? findHighlighted(code, language)
  const isMissing = isComplete && tokensOfCode === undefined
  useEffect(() => {
    if (!isMissing) return
    let isCurrent = true
    void highlight(code, language).then((tokens) => {
      // long code has thousands of tokens: rendering them must not block the page
      if (isCurrent && tokens) startTransition(() => setStored({ code, language, tokens }))
    })
    return () => {
      isCurrent = false
    }
  }, [code, language, isMissing])
  return isComplete ? tokensOfCode : undefined
}
