const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

/** A mail's HTML body as plain text: one line per block, each link followed by its address, unless its label is the address. */
export function mailHtmlToText(html: string): string {
  const lines = html
    .replaceAll(/<(style|head|title)\b[^]*?<\/\1>/gi, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/<a\b[^>]*?\bhref="([^"]*)"[^>]*>(.*?)<\/a>/gi, (_, href: string, label: string) =>
      decode(href) === decode(label.replaceAll(/<[^>]*>/g, '').trim()) ? label : `${label}: ${href}`,
    )
    .replaceAll(/<br\b[^>]*>|<\/(p|div|h\d|li|tr|table)>/gi, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .split('\n')
    .map((line) => decode(line).trim())
  return lines
    .filter((line, index) => line || lines[index - 1])
    .join('\n')
    .trim()
}

const decode = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (entity, name: string) => ENTITIES[name] ?? entity)
