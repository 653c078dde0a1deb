import { t } from '@lingui/core/macro'
import { WifiOff } from 'lucide-react'
import { useOnline } from '../lib/browser/online.ts'

/** Shown while the browser is offline. */
export function OfflineBar() {
  const isOnline = useOnline()
  return (
    <div role="status">
      {!isOnline && (
        <p className="flex min-h-9 animate-fade items-center justify-center gap-2 bg-surface-hover px-4 text-sm text-ink-muted">
          <WifiOff aria-hidden size={16} />
          {t`Offline. Your text stays here.`}
        </p>
      )}
    </div>
  )
}
