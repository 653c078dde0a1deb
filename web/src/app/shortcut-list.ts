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
