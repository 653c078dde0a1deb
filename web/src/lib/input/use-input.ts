import { useCallback, useEffect, useLayoutEffect } from 'react'
import { type Entry, isStored, parseInput, readRawInput, writeInput, writeInputSoon } from './inputs.ts'
import { unsavedInputs, unsavedState } from './leave-guard.ts'
import { type TextInput, useRawInput } from './text-input.ts'

addEventListener('beforeunload', (event) => {
  if (unsavedInputs.size > 0) event.preventDefault()
})

/**
 * Asks before leaving while an input has unsaved changes.
 * @param discard resets the changes, after the user has agreed; must be stable
 */
function useUnsaved(isUnsaved: boolean, discard: () => void): void {
  // a layout effect: a page that has just disappeared must not ask any more when the user presses Back
  useLayoutEffect(() => {
    if (!isUnsaved) return
    const input = { discard }
    unsavedInputs.add(input)
    if (!unsavedState.getState().isUnsaved) unsavedState.setState({ isUnsaved: true })
    return () => {
      unsavedInputs.delete(input)
      if (unsavedInputs.size === 0) unsavedState.setState({ isUnsaved: false })
    }
  }, [isUnsaved, discard])
}

/** Options of `useInput`. */
export interface InputOptions<Value> {
  /** what the server has, or what the form begins with; empty by default */
  stored?: Value
  /**
   * What leaving the page does. `ask`: the user is asked before the input is discarded. `keep`: it is there when the user comes back.
   * `forget`: it is discarded with its component, such as a search or a code.
   */
  onLeave?: 'ask' | 'keep' | 'forget'
}

/** The input of a field or a form, and how it changes. */
export interface Input<Value> extends Omit<TextInput, 'value' | 'change'> {
  /** what is shown */
  value: Value
  change: (value: Value) => void
  /** the text of one field of a record, for its text field */
  at: <Name extends keyof Value>(name: Name) => TextInput
  /** the text of a nested part, for its text field */
  part: (read: (value: Value) => string, write: (value: Value, text: string) => Value) => TextInput
  /** whether editing has begun, so that an editor is shown */
  isOpen: boolean
  /** begins to edit the stored value */
  open: () => void
  /** whether there is something to save */
  isDirty: boolean
  /** the server's value, if it was changed elsewhere after the user began to edit */
  newer: Value | undefined
  /** discards the input: the stored value is shown again */
  reset: () => void
  /**
   * Marks `value` as saved. Call it on the very input (of that render) whose `value` was sent: text that was typed since then stays, and
   * discarded input does not come back.
   * @param stored the value that the server has now
   */
  markSaved: (stored: Value) => void
}

/** Spaces around a text are no change. */
const comparable = (value: unknown) => (typeof value === 'string' ? value.trim() : JSON.stringify(value))
const isSame = (a: unknown, b: unknown) => comparable(a) === comparable(b)

function toEntry<Value>(key: string, raw: unknown, stored: Value): Entry<Value> | undefined {
  if (raw === undefined) return undefined
  const entry = Object(parseInput(key, raw)) as Partial<Entry<Value>>
  // storage may hold anything
  return typeof entry.value === typeof stored && typeof entry.base === typeof stored
    ? (entry as Entry<Value>)
    : undefined
}

/** @returns the entry to go on with: one that was not edited follows what is stored */
function findCurrent<Value>(key: string, raw: unknown, stored: Value): Entry<Value> | undefined {
  const entry = toEntry(key, raw, stored)
  if (!entry || isSame(entry.base, stored)) return entry
  return isSame(entry.value, entry.base) || isSame(entry.value, stored)
    ? { value: stored, base: stored }
    : entry
}

/** Keys with unsaved input, also of components that are not shown any more. The browser asks before those that are not stored are lost. */
const unsaved = new Set<string>()
addEventListener('beforeunload', (event) => {
  if ([...unsaved].some((key) => !isStored(key) && readRawInput(key) !== undefined)) event.preventDefault()
})

/** Begins to edit a stored value, unless editing has begun. The `useInput` of the key then has `isOpen`. */
export function openInput(key: string, stored: unknown): void {
  if (!toEntry(key, readRawInput(key), stored)) writeInputSoon(key, { value: stored, base: stored })
}

/**
 * The input of a field or a form. It outlives its component, unless it is to be forgotten, and is compared with the stored value. By default,
 * leaving the page asks before it is lost.
 * @param key identifies the input, such as `memory/<id>`; its prefix decides where the input is stored (`inputs.ts`)
 */
export function useInput<Value = string>(
  key: string,
  { stored = '' as Value, onLeave = 'ask' }: InputOptions<Value> = {},
): Input<Value> {
  const entry = findCurrent(key, useRawInput(key), stored)
  const { value, base } = entry ?? { value: stored, base: stored }
  const isDirty = !isSame(value, base)
  const reset = useCallback(() => writeInput(key, undefined), [key])
  useUnsaved(isDirty && onLeave === 'ask', reset)
  useEffect(() => (onLeave === 'forget' ? reset : undefined), [onLeave, reset])

  const readCurrent = () => findCurrent(key, readRawInput(key), stored) ?? { value: stored, base: stored }
  const write = (next: Value, nextBase: Value) => {
    writeInputSoon(key, { value: next, base: nextBase })
    if (onLeave !== 'forget' && !isSame(next, nextBase)) unsaved.add(key)
    else unsaved.delete(key)
  }
  const change = (next: Value) => write(next, readCurrent().base)
  // each change starts from the newest value: two fields may change before the next render
  const part: Input<Value>['part'] = (read, writePart) =>
    ({
      value: read(value),
      change: (text) => change(writePart(readCurrent().value, text)),
    }) as TextInput
  const input: Omit<Input<Value>, keyof Omit<TextInput, 'value' | 'change'>> = {
    value,
    change,
    part,
    at: (name) =>
      part(
        // absent in what another release has stored
        (whole) => String(whole[name] ?? ''),
        (whole, text) => ({ ...whole, [name]: text }),
      ),
    isOpen: entry !== undefined,
    open: () => openInput(key, stored),
    // a getter, so that text which was typed after this render counts, too
    get isDirty() {
      const current = readCurrent()
      return !isSame(current.value, current.base)
    },
    newer: isDirty && !isSame(stored, base) && !isSame(value, stored) ? stored : undefined,
    reset,
    markSaved: (next) => {
      const current = findCurrent(key, readRawInput(key), stored)
      // discarded meanwhile: nothing is left to edit
      if (!current) return
      if (isSame(current.value, value)) reset()
      else write(current.value, next)
    },
  }
  // the brand of `TextInput` exists in the type only
  return input as Input<Value>
}
