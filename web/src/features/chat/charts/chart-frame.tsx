import { t } from '@lingui/core/macro'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { chartFrameFile, type ChartMessage, type ChartRequest } from '#shared/chart-frame.ts'
import { truncate } from '#shared/truncate.ts'
import { language, locale } from '../../../lib/locale.ts'
import { DrawingFrame } from '../../../components/drawing-frame.tsx'
import { useIsDark } from '../../../lib/theme.ts'
import type { ChartProblem } from './check-chart.ts'
import type { Chart } from './read-chart.ts'

/** A frame that sends nothing for so long has crashed or will never finish. The first chart also loads the library in this time. */
const drawLimitMs = 20_000

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
  const requestId = useRef(0)
  const isDark = useIsDark()
  const drawn = useEffectEvent(onDrawn)
  const fail = useEffectEvent(onProblem)

  useEffect(() => {
    const { spec } = chart
    if (loadCount === 0) return
    const id = (requestId.current += 1)
    const request: ChartRequest = { id, spec, isDark, locale, ...(aggregates && { aggregates }) }
    frame.current?.contentWindow?.postMessage(request, '*')
    const timer = setTimeout(() => fail({ kind: 'stopped' }), drawLimitMs)
    const listen = (event: MessageEvent<Partial<ChartMessage> | null>) => {
      // the frame is identified by its window, because it has no origin; checked before `data`, which may be expensive to read
      if (!event.source || event.source !== frame.current?.contentWindow) return
      const { data } = event
      if (data?.state === 'drawn' && data.id === id && Number.isFinite(data.heightPx)) {
        clearTimeout(timer)
        setHeightPx(data.heightPx)
        drawn(String(data.svg))
      }
      if (data?.state === 'failed' && data.id === id) {
        clearTimeout(timer)
        fail({ kind: 'library', reason: truncate(String(data.reason), 300) })
      }
    }
    addEventListener('message', listen)
    return () => {
      clearTimeout(timer)
      removeEventListener('message', listen)
    }
  }, [loadCount, chart, isDark])

  useEffect(() => {
    const listen = (event: MessageEvent<Partial<ChartMessage> | null>) => {
      if (!event.source || event.source !== frame.current?.contentWindow) return
      if (event.data?.state === 'ready') setLoadCount((count) => count + 1)
    }
    addEventListener('message', listen)
    return () => removeEventListener('message', listen)
  }, [])

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
