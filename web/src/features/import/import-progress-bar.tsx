import { t } from '@lingui/core/macro'
import { Button } from '../../components/ui/button.tsx'
import { Status } from '../../components/ui/status.tsx'
import { formatImportedCounts } from './format-counts.ts'
import type { ImportStatus } from './run-import.ts'

/** Less would not be seen as a beginning. */
const minShownPercent = 2

/** How far a running import is. */
export function ImportProgressBar({
  status: { share, isWaiting, counts },
  onCancel,
}: {
  status: ImportStatus
  onCancel: () => void
}) {
  const percent = Math.round(share * 100)
  return (
    <div className="grid gap-3">
      <div
        role="progressbar"
        aria-label={t`Progress of the import`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        className="h-2 overflow-hidden rounded-full bg-surface-hover"
      >
        <div
          className="h-full rounded-full bg-accent transition-[width] duration-(--duration-fast)"
          style={{ width: `${Math.max(minShownPercent, percent)}%` }}
        />
      </div>
      <div className="flex items-center justify-between gap-4 max-sm:flex-col max-sm:items-stretch">
        <div className="min-w-0">
          <p>{formatImportedCounts(counts.imported, counts.messages, counts.files)}</p>
          <Status className="text-sm text-ink-muted">
            {isWaiting
              ? t`Waiting for the service. The import continues by itself.`
              : t`Keep this tab open. You can go on using it, and a reload goes on from here.`}
          </Status>
        </div>
        <Button onClick={onCancel}>{t`Cancel`}</Button>
      </div>
    </div>
  )
}
