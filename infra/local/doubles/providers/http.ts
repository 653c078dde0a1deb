/** A response of the doubles; the server writes it. */
export interface ProviderResponse {
  status: number
  headers?: Record<string, string>
  body?: string
}

/** A request as the doubles see it. */
export interface ProviderRequest {
  method: string
  /** without the provider's own path prefix */
  path: string
  query: URLSearchParams
  headers: Record<string, string | undefined>
  body: string
}

export const json = (
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): ProviderResponse => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(value),
})
