import { useState } from 'react'
import { ChartCard, type ChartState } from './chart-card.tsx'

/** A chart in the preview panel, or why it is not drawn. */
export function ChartPreview({ code }: { code: string }) {
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
