import { t } from '@lingui/core/macro'
import { Paperclip } from 'lucide-react'
import { describeFileLimits } from './file-limits.ts'

/** Covers the page while files are dragged over it, and says what happens when they are dropped. */
export function DropOverlay({ mayAttach }: { mayAttach: boolean }) {
  return (
    <div className="pointer-events-none fixed inset-0 z-(--z-panel) grid animate-fade place-items-center bg-[color-mix(in_srgb,var(--color-surface)_88%,transparent)] p-6">
      <div className="grid size-full place-content-center justify-items-center gap-2 rounded-lg border-2 border-dashed border-accent text-center">
        <Paperclip aria-hidden size={24} className="text-accent" />
        <p className="text-lg font-semibold">
          {mayAttach
            ? t`Drop files to attach them`
            : t`Your group may not add files. Please ask an administrator.`}
        </p>
        {mayAttach && <p className="text-sm text-ink-muted">{describeFileLimits()}</p>}
      </div>
    </div>
  )
}
