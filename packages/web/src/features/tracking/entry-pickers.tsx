import { type RefObject, useState } from "react";
import { PickPopover } from "../../ui/pick-popover.tsx";
import { timerMessages as text } from "./messages.ts";
import { ProjectName } from "./project-name.tsx";
import { type Project, projectOptions } from "./projects.ts";
import { useTagSuggestions } from "./suggestions.ts";

type Anchor = RefObject<HTMLElement | null>;

/** A searchable list of the projects that time can be tracked on, below a button. */
export function ProjectPicker({
  anchor,
  projects,
  selected,
  onSelect,
  onClose,
}: {
  anchor: Anchor;
  projects: readonly Project[];
  /** Undefined when entries of several projects are changed together. */
  selected: string | null | undefined;
  onSelect: (projectId: string | null) => void;
  onClose: () => void;
}) {
  const options = projectOptions(projects, selected ?? "").map(({ value, label }) => {
    const project = projects.find(({ id }) => id === value);
    return {
      id: value,
      text: label,
      content: project && (
        <>
          <ProjectName project={project} /> {project.client && <span className="hint">{project.client}</span>}
        </>
      ),
    };
  });
  return (
    <PickPopover
      label={text.project}
      anchor={anchor}
      options={[{ id: noProject, text: text.noProject }, ...options]}
      selected={selected === undefined ? [] : [selected ?? noProject]}
      onSelect={([id]) => onSelect(id === noProject ? null : (id ?? null))}
      onClose={onClose}
      empty={text.noMatch}
    />
  );
}

const noProject = "none";

/** A searchable list of the workspace's tags, to which the user can add others, below a button. */
export function TagPicker({
  anchor,
  selected,
  onSelect,
  onClose,
}: {
  anchor: Anchor;
  selected: readonly string[];
  onSelect: (tags: string[]) => void;
  onClose: () => void;
}) {
  const [typed, setTyped] = useState("");
  const suggested = useTagSuggestions(typed);
  const tags = [...new Set([...selected, ...suggested])];
  return (
    <PickPopover
      label={text.tags}
      anchor={anchor}
      options={tags.map((tag) => ({ id: tag, text: tag }))}
      selected={selected}
      onSelect={onSelect}
      onSearch={setTyped}
      onClose={onClose}
      addLabel={text.addTag}
      empty={text.noMatch}
      multiple
    />
  );
}
