import { ComboBox, type ComboOption } from "./combo-box.tsx";
import type { Filters } from "./filters.tsx";

/** A filter whose value is one of many options. The first option means no filter. */
export function ComboFilter<Name extends string>({
  filters,
  name,
  label,
  options,
}: {
  filters: Filters<Name>;
  name: Name;
  label: string;
  options: readonly ComboOption[];
}) {
  return (
    <div className="field">
      <ComboBox
        label={label}
        options={options}
        value={filters.values[name]}
        onChange={(value) => filters.set({ [name]: value } as never)}
      />
    </div>
  );
}
