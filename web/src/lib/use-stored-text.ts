import { useState } from 'react'

/**
 * Edits a text that the server has. One that was changed elsewhere is shown in the field while nobody has edited that; what was typed
 * stays, and `newer` says what is stored now. So saving replaces only what the user has seen.
 */
export function useStoredText(stored: string) {
  const [text, setText] = useState(stored)
  /** the text that the user began with */
  const [base, setBase] = useState(stored)
  const [lastStored, setLastStored] = useState(stored)
  const [newer, setNewer] = useState<string>()
  const trimmed = text.trim()

  const show = (value: string) => {
    setText(value)
    setBase(value)
    setNewer(undefined)
  }
  if (stored !== lastStored) {
    setLastStored(stored)
    if (trimmed === base || trimmed === stored) show(stored)
    else setNewer(stored === base ? undefined : stored)
  }
  return {
    /** what the field shows */
    text,
    setText,
    /** whether there is something to save */
    isDirty: trimmed !== base,
    /** the server's text, if it was changed elsewhere after the user began to edit */
    newer,
    /** shows a text in place of what was typed, as saved */
    show,
    /** after saving: shows what was saved, unless the user has typed on */
    showSaved: (saved: string) => {
      setText((current) => (current === text ? saved : current))
      setBase(saved)
      setNewer(undefined)
    },
  }
}
