/** The route of the public health check, apart from the others: its function loads no more than it needs. */
export const healthRoute = {
  method: 'GET',
  path: '/api/health',
  functionName: 'health',
  access: 'public',
  limit: 'none',
  maxBodyBytes: 0,
} as const
