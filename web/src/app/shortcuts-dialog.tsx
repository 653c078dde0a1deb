import { t } from '@lingui/core/macro'
import { Fragment } from 'react'
import { Dialog } from '../components/ui/dialog.tsx'
import { isApplePlatform, shortcuts, type Shortcut, type ShortcutName } from '../lib/input/shortcuts.ts'

/** Lists the keyboard shortcuts. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onOpenChange={onClose} title={t`Keyboard shortcuts`}>
      <dl className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 gap-y-3">
        {listShortcuts().map(({ keys, action }) => (
          <Fragment key={action}>
            <dt className="text-ink-muted">{action}</dt>
            <dd className="flex justify-end gap-1">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="grid h-6 min-w-6 place-items-center rounded-chip bg-surface-hover px-1.5 font-sans text-xs font-medium"
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
  search: t`Search conversations and pages`,
  newChat: t`Start a fresh chat`,
  send: t`Send the message`,
  newLine: t`Add a line`,
  stop: t`Stop the reply, or close what is open`,
  edit: t`Edit your last message, in an empty composer`,
  quote: t`Quote the text that is selected in a message`,
  undo: t`Undo deleting a conversation`,
  notifications: t`Focus the notifications`,
  list: t`Show this list`,
}

/** As they are printed on the keyboards of a language. */
const keyNames: Partial<Record<string, string>> = { Enter: t`Enter`, Escape: t`Esc`, ArrowUp: '↑' }

/** What each shortcut does, and the names of its keys on this computer. */
function listShortcuts(): { action: string; keys: string[] }[] {
  const modifiers = isApplePlatform() ? { mod: '⌘', alt: '⌥' } : { mod: t`Ctrl`, alt: 'Alt' }
  return Object.entries<Shortcut>(shortcuts).map(([name, { mod, shift, alt, key }]) => ({
    action: actions[name as ShortcutName],
    keys: [mod && modifiers.mod, shift && t`Shift`, alt && modifiers.alt, keyNames[key] ?? key].filter(
      (each) => typeof each === 'string',
    ),
  }))
}
