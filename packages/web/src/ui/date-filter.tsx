import { DatePicker } from "./date-picker.tsx";
import { type Filters, useTyped } from "./filters.tsx";

/** A date filter, as `YYYY-MM-DD`. */
export function DateFilter<Name extends string>({
  filters,
  name,
  label,
}: {
  filters: Filters<Name>;
  name: Name;
  label: string;
}) {
  // A year that is still being typed has fewer digits.
  const [typed, setTyped] = useTyped(filters, name, (date) => date === "" || date >= "1000");
  return (
    <div className="field">
      <DatePicker label={label} value={typed} onChange={setTyped} />
    </div>
  );
}
