/** Calls `onChange` with the option that has a value: controls report values as strings of any kind. */
export function chooseOption<Value extends string>(
  options: readonly { value: Value }[],
  value: string,
  onChange: (value: Value) => void,
): void {
  const option = options.find((each) => each.value === value)
  if (option) onChange(option.value)
}
