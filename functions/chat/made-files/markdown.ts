import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import type { Nodes, Root, Table } from 'mdast'
import type { Cell, Sheet } from './sheet.ts'

export const parseMarkdown = (text: string): Root =>
  fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })

/** The words of a node; of a picture its description. */
export function getText(node: Nodes): string {
  if ('value' in node) return node.value
  if (node.type === 'break') return '\n'
  if ('alt' in node) return node.alt ?? ''
  return 'children' in node ? node.children.map(getText).join('') : ''
}

/** Addresses that a reader of a document may open. */
export const isWebLink = (url: string): boolean => /^(?:https?:\/\/|mailto:)/i.test(url)

/** Whether the first letter of a text is written from right to left. */
export const isRightToLeft = (text: string): boolean =>
  /^[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(/\p{L}/u.exec(text)?.[0] ?? '')

/** A number as a person would type it into a sheet: a leading zero belongs to a code, and more digits than a number holds to an id. */
const plainNumber = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,14})?$/
const toCell = (text: string): Cell => (text === '' ? null : plainNumber.test(text) ? Number(text) : text)

const listCells = ({ children: rows }: Table) =>
  rows.map(({ children }) => children.map((cell) => getText(cell).trim()))

/** The tables of a text, each as a sheet with the name of the heading above it. */
export function listTables({ children }: Root): Sheet[] {
  let heading = ''
  return children.flatMap((node) => {
    if (node.type === 'heading') heading = getText(node).trim()
    if (node.type !== 'table') return []
    const [columns = [], ...rows] = listCells(node)
    return [{ name: heading, columns, rows: rows.map((row) => row.map(toCell)) }]
  })
}
