import { t } from '@lingui/core/macro'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { chartFrameFile, type ChartMessage, type ChartRequest } from '#shared/chart-frame.ts'
import { truncate } from '#shared/truncate.ts'
import { language, locale } from '../../../lib/locale.ts'
import { DrawingFrame } from '../../../components/drawing-frame.tsx'
import { useIsDark } from '../../../lib/theme.ts'
import { listenToFrame } from '../listen-to-frame.ts'
import type { ChartProblem } from './check-chart.ts'
import type { Chart } from './read-chart.ts'

/** A frame that sends nothing for so long has crashed or will never finish. The first chart also loads the library in this time. */
const drawLimitMs = 20_000
/** The library's message is shown as one sentence. The frame is untrusted and may send any text. */
const maxReasonCharacters = 300

/** The names of aggregates in the page's language. In English the library's own names are used, of which it has more. */
const aggregates =
  language === 'en'
    ? undefined
    : {
        count: t`Number of entries`,
        distinct: t`Distinct values`,
        sum: t`Sum`,
        mean: t`Mean`,
        average: t`Mean`,
        median: t`Median`,
        min: t`Minimum`,
        max: t`Maximum`,
      }

interface ChartFrameProps {
  chart: Chart
  title: string
  isHidden: boolean
  /** @param svg the drawing; untrusted */
  onDrawn: (svg: string) => void
  onProblem: (problem: ChartProblem) => void
}

/** A chart. It is drawn in a sandboxed frame, because its specification is untrusted. */
export function ChartFrame({ chart, title, isHidden, onDrawn, onProblem }: ChartFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  /** counts the documents that the frame has loaded */
  const [loadCount, setLoadCount] = useState(0)
  const [heightPx, setHeightPx] = useState<number>()
  /** of the newest request, so that a late answer to an earlier one is ignored */
  const requestId = useRef(0)
  const isDark = useIsDark()
  const reportDrawing = useEffectEvent(onDrawn)
  const reportProblem = useEffectEvent(onProblem)

  useEffect(() => {
    if (loadCount === 0) return
    const { spec } = chart
    const id = (requestId.current += 1)
    const request: ChartRequest = { id, spec, isDark, locale, ...(aggregates && { aggregates }) }
    // to any origin, because the sandboxed document has none
    frame.current?.contentWindow?.postMessage(request, '*')
    const timer = setTimeout(() => reportProblem({ kind: 'stopped' }), drawLimitMs)
    const stopListening = listenToFrame<ChartMessage>(frame, (message) => {
      if (message?.state === 'drawn' && message.id === id && Number.isFinite(message.heightPx)) {
        clearTimeout(timer)
        setHeightPx(Number(message.heightPx))
        reportDrawing(String(message.svg))
      }
      if (message?.state === 'failed' && message.id === id) {
        clearTimeout(timer)
        reportProblem({ kind: 'library', reason: truncate(String(message.reason), maxReasonCharacters) })
      }
    })
    return () => {
      clearTimeout(timer)
      stopListening()
    }
  }, [loadCount, chart, isDark])

  useEffect(
    () =>
      listenToFrame<ChartMessage>(frame, (message) => {
        if (message?.state === 'ready') setLoadCount((count) => count + 1)
      }),
    [],
  )

  return (
    <DrawingFrame
      ref={frame}
      src={chartFrameFile}
      title={title}
      heightPx={heightPx}
      isHidden={isHidden}
      isDark={isDark}
    />
  )
}
