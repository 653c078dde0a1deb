import { useSyncExternalStore, type ChangeEvent } from 'react'
import { readRawInput, subscribeToInputs, writeInputSoon } from './inputs.ts'
import { isComposed } from './keys.ts'

/** Exists in the type only. */
declare const brand: unique symbol

/**
 * The text of a text field, and how it changes. The type is branded: only `useInput` and `useDraftInput` create one, so that no field has a
 * text that would be lost with its component.
 */
export interface TextInput {
  readonly [brand]: true
  value: string
  change: (value: string) => void
}

/** How a text field changes its input. */
export interface BindOptions {
  /** changes the text as it is typed, such as a limit; never while an input method composes it */
  format?: ((text: string) => string) | undefined
  /** called after each change */
  onInput?: ((text: string) => void) | undefined
}

/** @returns the attributes of a text field that shows and changes an input */
export function bind(input: TextInput, { format = (text) => text, onInput }: BindOptions = {}) {
  const change = (text: string) => {
    input.change(text)
    onInput?.(text)
  }
  return {
    value: input.value,
    onChange: ({ target, nativeEvent }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      change(isComposed(nativeEvent) ? target.value : format(target.value)),
    onCompositionEnd: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) => {
      const text = format(currentTarget.value)
      if (text !== input.value) change(text)
    },
  }
}

/** The value of a key, as `readRawInput` returns it. */
export const useRawInput = (key: string): unknown =>
  useSyncExternalStore(subscribeToInputs, () => readRawInput(key))

/** The text of a composer: a small `useInput` for the first page. The server has no such text, and the browser stores it, but for temporary chats. */
export function useDraftInput(key: string): TextInput {
  const text = useRawInput(key)
  return {
    value: text ?? '',
    change: (next) => writeInputSoon(key, next || undefined),
  } as TextInput
}
