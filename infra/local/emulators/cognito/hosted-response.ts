import { randomBytes } from 'node:crypto'
import { signInPageHeaders } from '../../sign-in-page.ts'

/** A browser's request to the hosted pages. */
export interface HostedRequest {
  method: string
  url: URL
  cookie: string
  form: URLSearchParams
}

export interface HostedResponse {
  status: number
  headers: Record<string, string>
  body?: string
}

export const newRandomToken = (): string => randomBytes(24).toString('base64url')

export const redirectTo = (location: string): HostedResponse => ({ status: 302, headers: { location } })

export const jsonResponse = (status: number, body: object): HostedResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

export const htmlResponse = (status: number, body: string): HostedResponse => ({
  status,
  headers: signInPageHeaders,
  body,
})
