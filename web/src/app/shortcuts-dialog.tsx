import { Fragment } from 'react'
import { Dialog } from '../components/ui/dialog.tsx'
import { shortcuts } from './shortcut-list.ts'

/** `?`: what the keyboard can do. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onOpenChange={onClose} title="Keyboard shortcuts">
      <dl className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 gap-y-3">
        {shortcuts().map(({ keys, does }) => (
          <Fragment key={does}>
            <dt className="text-ink-muted">{does}</dt>
            <dd className="flex justify-end gap-1">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="grid h-6 min-w-6 place-items-center rounded-[6px] bg-surface-hover px-1.5 font-sans text-xs font-medium"
                >
                  {key}
                </kbd>
              ))}
            </dd>
          </Fragment>
        ))}
      </dl>
    </Dialog>
  )
}
