import type { Messages } from '@lingui/core'
import { cloneElement, createElement, Fragment } from 'react'
import type { ReactElement, ReactNode } from 'react'
import { translate } from './translate.ts'

/**
 * Puts nodes into a text: in place of `<1/>` the second node, and around the text in `<0>…</0>` the first, which is an element. Only messages
 * have such marks: what users have written is among the nodes.
 */
function fill(text: string, nodes: readonly ReactNode[]): ReactNode[] {
  // after the first text, for each mark: its number, the text in it (undefined for `<1/>`) and the text after it
  const [first, ...parts] = text.split(/<(\d+)(?:\/>|>(.*?)<\/\1>)/)
  const filled: ReactNode[] = [first]
  for (let index = 0; index < parts.length; index += 3) {
    const [position, inner, after] = parts.slice(index, index + 3)
    const node = nodes[Number(position)]
    filled.push(
      inner === undefined ? node : cloneElement(node as ReactElement, undefined, ...fill(inner, nodes)),
      after,
    )
  }
  return filled
}

/**
 * As `translate`, for a message with elements (`<Trans>`).
 * @param nodes elements, which enclose a part of the text, and the values of placeholders
 * @param values numbers that choose a plural form, by their position
 * @returns the text, with the nodes in it
 */
export const translateRich = (
  id: string,
  message: Messages[string],
  nodes: readonly ReactNode[],
  values?: readonly unknown[],
): ReactNode => createElement(Fragment, undefined, ...fill(translate(id, message, values), nodes))
