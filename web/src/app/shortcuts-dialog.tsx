import { Fragment } from 'react'
import { Dialog } from '../components/ui/dialog.tsx'

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

export interface Shortcut {
  keys: readonly string[]
  does: string
}

/** `navigator.platform` is obsolete, but Safari and Firefox have nothing else. */
function systemName(): string {
  const { userAgentData } = navigator as { userAgentData?: { platform: string } }
  return userAgentData?.platform || navigator.platform
}

/** How the system's own key is called. */
function modifierName(): 'Ctrl' | '⌘' {
  return /mac|iphone|ipad/i.test(systemName()) ? '⌘' : 'Ctrl'
}

/** What the list shows; the keys themselves are heard where they act. */
export function shortcuts(modifier = modifierName()): readonly Shortcut[] {
  return [
    { keys: [modifier, 'K'], does: 'Search conversations and pages' },
    { keys: [modifier, 'Shift', 'O'], does: 'Start a fresh chat' },
    { keys: ['Enter'], does: 'Send the message' },
    { keys: ['Shift', 'Enter'], does: 'Add a line' },
    { keys: ['Esc'], does: 'Stop the reply, or close what is open' },
    { keys: ['↑'], does: 'Edit your last message, in an empty composer' },
    { keys: [modifier, 'Shift', '9'], does: 'Quote the text that is selected in a message' },
    { keys: [modifier, 'Z'], does: 'Take a deletion back, in the list of conversations' },
    { keys: ['Alt', 'T'], does: 'Go to the notifications' },
    { keys: ['?'], does: 'Show this list' },
  ]
}
