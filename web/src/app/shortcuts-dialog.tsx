import { Fragment } from 'react'
import { Dialog } from '../components/ui/dialog.tsx'
import { getModifierKey } from '../lib/keys.ts'
import * as texts from './texts.ts'

/** Lists the keyboard shortcuts. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onOpenChange={onClose} title={texts.keyboardShortcuts}>
      <dl className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 gap-y-3">
        {listShortcuts().map(({ keys, action }) => (
          <Fragment key={action}>
            <dt className="text-ink-muted">{action}</dt>
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

export interface Shortcut {
  keys: readonly string[]
  action: string
}

/** The shortcuts to list; they are handled where they act. */
export function listShortcuts(modifier = getModifierKey()): readonly Shortcut[] {
  return [
    { keys: [modifier, 'K'], action: texts.searchShortcut },
    { keys: [modifier, texts.shiftKey, 'O'], action: texts.newChatShortcut },
    { keys: ['Enter'], action: texts.sendShortcut },
    { keys: [texts.shiftKey, 'Enter'], action: texts.newLineShortcut },
    { keys: ['Esc'], action: texts.stopShortcut },
    { keys: ['↑'], action: texts.editShortcut },
    { keys: [modifier, texts.shiftKey, '9'], action: texts.quoteShortcut },
    { keys: [modifier, 'Z'], action: texts.undoShortcut },
    { keys: ['Alt', 'T'], action: texts.notificationsShortcut },
    { keys: ['?'], action: texts.listShortcut },
  ]
}
