/** Whether one or, in long words, two letters are wrong, missing, too many or exchanged. */
export function isNear(a: string, b: string): boolean {
  const most = a.length > 8 ? 2 : 1
  if (Math.abs(a.length - b.length) > most || a === b) return false
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    let least = i
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1
      let value = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + cost)
      const isExchanged =
        i > 1 &&
        j > 1 &&
        a.charCodeAt(i - 1) === b.charCodeAt(j - 2) &&
        a.charCodeAt(i - 2) === b.charCodeAt(j - 1)
      if (isExchanged) value = Math.min(value, (before[j - 2] ?? 0) + 1)
      next.push(value)
      least = Math.min(least, value)
    }
    if (least > most) return false
    before = row
    row = next
  }
  return (row[b.length] ?? most + 1) <= most
}
