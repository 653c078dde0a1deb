import { useCallback, useState } from 'react'

/** Where drafts stand in localStorage; signing out removes them all. */
const prefix = 'draft:'

/**
 * The text of a composer, kept in this browser until it is sent.
 * @param key names the user and the conversation
 */
export function useDraft(key: string): [text: string, change: (text: string) => void] {
  const [text, setText] = useState(() => stored(key))
  const change = useCallback(
    (next: string) => {
      setText(next)
      store(key, next)
    },
    [key],
  )
  return [text, change]
}

function stored(key: string): string {
  try {
    return localStorage.getItem(prefix + key) ?? ''
  } catch {
    return ''
  }
}

function store(key: string, text: string): void {
  try {
    if (text === '') localStorage.removeItem(prefix + key)
    else localStorage.setItem(prefix + key, text)
  } catch {
    // no room or no permission: the draft then lives as long as the page
  }
}
