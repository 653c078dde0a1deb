/** Recordings of browsers, under all of their names. API Gateway passes such bodies on as base64, and everything else as text. */
export const audioTypes: readonly string[] = [
  'audio/webm',
  'audio/mp4',
  'audio/x-m4a',
  'audio/wav',
  'audio/x-wav',
  'audio/wave',
]
