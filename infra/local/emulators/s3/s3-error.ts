import { randomUUID } from 'node:crypto'

/** An S3 error: XML with a code, a message, and further members by kind. */
export class S3Error extends Error {
  readonly code: string
  readonly status: number
  readonly members: Readonly<Record<string, string | number>>

  constructor(
    status: number,
    code: string,
    message: string,
    members: Readonly<Record<string, string | number>> = {},
  ) {
    super(message)
    this.code = code
    this.status = status
    this.members = members
  }
}

export const accessDenied = (message: string, members?: Record<string, string>) =>
  new S3Error(403, 'AccessDenied', message, members)

const escapeXml = (text: string) => text.replace(/[<>&"\r]/g, (character) => `&#${character.charCodeAt(0)};`)

/** @param children names and texts, or lists of elements made by this function */
export function element(name: string, children: string | readonly string[]): string {
  const content = typeof children === 'string' ? escapeXml(children) : children.join('')
  return `<${name}>${content}</${name}>`
}

export const xmlDocument = (root: string) => `<?xml version="1.0" encoding="UTF-8"?>\n${root}`

export function errorXml({ code, message, members }: S3Error): string {
  const children = Object.entries(members).map(([name, value]) => element(name, String(value)))
  return xmlDocument(
    element('Error', [
      element('Code', code),
      element('Message', message),
      ...children,
      element('RequestId', randomUUID()),
      element('HostId', 'local'),
    ]),
  )
}
