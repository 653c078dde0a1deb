export interface Shortcut {
  keys: readonly string[]
  does: string
}

/** How the system's own key is called. */
function modifierName(): 'Ctrl' | '⌘' {
  return /mac|iphone|ipad/i.test(navigator.platform) ? '⌘' : 'Ctrl'
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
    { keys: [modifier, 'Z'], does: 'Take a deletion back, in the list of conversations' },
    { keys: ['Alt', 'T'], does: 'Go to the notifications' },
    { keys: ['?'], does: 'Show this list' },
  ]
}
