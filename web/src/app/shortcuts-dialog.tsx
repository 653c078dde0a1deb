import { Fragment } from 'react'
import { Dialog } from '../components/ui/dialog.tsx'

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onOpenChange={onClose} title="Keyboard shortcuts">
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

/** `navigator.platform` is deprecated, but Safari and Firefox have nothing else. */
function getPlatform(): string {
  const { userAgentData } = navigator as { userAgentData?: { platform: string } }
  return userAgentData?.platform || navigator.platform
}

/** The name of the platform's modifier key. */
function getModifierKey(): 'Ctrl' | '⌘' {
  return /mac|iphone|ipad/i.test(getPlatform()) ? '⌘' : 'Ctrl'
}

/** The shortcuts to list; they are handled where they act. */
export function listShortcuts(modifier = getModifierKey()): readonly Shortcut[] {
  return [
    { keys: [modifier, 'K'], action: 'Search conversations and pages' },
    { keys: [modifier, 'Shift', 'O'], action: 'Start a fresh chat' },
    { keys: ['Enter'], action: 'Send the message' },
    { keys: ['Shift', 'Enter'], action: 'Add a line' },
    { keys: ['Esc'], action: 'Stop the reply, or close what is open' },
    { keys: ['↑'], action: 'Edit your last message, in an empty composer' },
    { keys: [modifier, 'Shift', '9'], action: 'Quote the text that is selected in a message' },
    { keys: [modifier, 'Z'], action: 'Undo deleting a conversation' },
    { keys: ['Alt', 'T'], action: 'Focus the notifications' },
    { keys: ['?'], action: 'Show this list' },
  ]
}
