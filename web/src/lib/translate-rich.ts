import type { Messages } from '@lingui/core'
import { cloneElement, createElement, Fragment } from 'react'
import type { ReactElement, ReactNode } from 'react'
import { translate } from './translate.ts'

/** Puts nodes into a text, in place of `<0>…</0>` and `<1/>`. */
function fill(text: string, nodes: readonly ReactNode[]): ReactNode[] {
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

/** @param nodes elements, which enclose a part of the text, and what stands in place of placeholders */
export const translateRich = (
  id: string,
  message: Messages[string],
  nodes: readonly ReactNode[],
  values?: readonly unknown[],
): ReactNode => createElement(Fragment, undefined, ...fill(translate(id, message, values), nodes))
