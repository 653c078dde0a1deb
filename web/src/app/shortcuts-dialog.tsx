import { Fragment } from 'react'
import { Dialog } from '../components/ui/dialog.tsx'
import { getModifierKey } from '../lib/keys.ts'
import { shortcuts, type Shortcut, type ShortcutName } from '../lib/shortcuts.ts'
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

const actions: Record<ShortcutName, string> = {
  search: texts.searchShortcut,
  newChat: texts.newChatShortcut,
  send: texts.sendShortcut,
  newLine: texts.newLineShortcut,
  stop: texts.stopShortcut,
  edit: texts.editShortcut,
  quote: texts.quoteShortcut,
  undo: texts.undoShortcut,
  notifications: texts.notificationsShortcut,
  list: texts.listShortcut,
}

const keyNames: Partial<Record<string, string>> = { Escape: 'Esc', ArrowUp: '↑' }

/** What each shortcut does, and the names of its keys on this computer. */
export const listShortcuts = (modifier = getModifierKey()) =>
  Object.entries<Shortcut>(shortcuts).map(([name, { mod, shift, alt, key }]) => ({
    action: actions[name as ShortcutName],
    keys: [
      mod && (modifier === 'Ctrl' ? texts.controlKey : modifier),
      shift && texts.shiftKey,
      alt && 'Alt',
      keyNames[key] ?? key,
    ].filter((each) => typeof each === 'string'),
  }))
